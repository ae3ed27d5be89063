"""MNIST and 20 Newsgroups, data sets of the papers themselves, fetched through scikit-learn on request only.

They come in the same three parts as the bundled digits (`datasets.digits_in_three`), so that an instance takes either.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from workbench.problems.datasets import Part


def parts(name: str, train: int, validation: int, words: int = 2000) -> tuple[Part, Part, Part]:
    """(train, validation, test) of a real set, with a column of ones; the test part is what is left.

    words: features kept of 20 Newsgroups, the most frequent ones. Raises ValueError, with one sentence, for an unknown
    name and where the set cannot be fetched.
    """
    loaders = {"mnist": _mnist, "newsgroups": _newsgroups}
    if name not in loaders:
        raise ValueError(f"unknown data set {name!r}; choose one of {', '.join(loaders)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn announces retries; a failure is reported below
            features, labels = loaders[name](words)
    except (OSError, RuntimeError, ImportError) as error:  # URLError and HTTPError are OSErrors
        raise ValueError(
            f"the data set {name} cannot be fetched here ({error}); use the bundled data"
        ) from error
    if train + validation >= len(labels):
        raise ValueError(
            f"{name} has {len(labels)} points: too few for {train} + {validation} and a test part"
        )
    features = np.hstack([features, np.ones((len(features), 1))])
    order = np.random.default_rng(0).permutation(len(labels))
    first, second, third = np.split(order, [train, train + validation])
    return tuple(Part(features[i], labels[i]) for i in (first, second, third))  # type: ignore[return-value]


def _mnist(words: int) -> tuple[np.ndarray, np.ndarray]:
    """(70000, 784) pixels in [0, 1] and digits."""
    from sklearn.datasets import fetch_openml

    bunch: Any = fetch_openml("mnist_784", version=1, as_frame=False, parser="liac-arff")
    return np.asarray(bunch.data, dtype=np.float64) / 255.0, np.asarray(bunch.target, dtype=np.int64)


def _newsgroups(words: int) -> tuple[np.ndarray, np.ndarray]:
    """(18846, words) normalized counts of the most frequent words, and the twenty groups."""
    from sklearn.datasets import fetch_20newsgroups_vectorized

    bunch: Any = fetch_20newsgroups_vectorized(subset="all")
    often = np.argsort(-np.asarray(bunch.data.sum(axis=0)).ravel(), kind="stable")[:words]
    features = np.asarray(bunch.data[:, often].todense(), dtype=np.float64)
    return features, np.asarray(bunch.target, dtype=np.int64)
