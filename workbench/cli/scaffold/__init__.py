"""`workbench new`: a paper of the user's own, made from a template that verifies as it stands.

In: a path and the name of a shape. Out: the files of a paper, or a sentence that says why nothing was written. A
template is a folder of `templates` whose files end in ``.txt``. One of them, followed through:
``new(Path("mine"), "sgd")`` checks that `mine` can be a key and is not taken, and writes
``templates/sgd/method.py.txt`` as ``mine/method.py``.
"""

from __future__ import annotations

from pathlib import Path

from workbench.homes import papers
from workbench.homes.usage import UsageError

TEMPLATES = Path(__file__).with_name("templates")
SINGLE = "single"


def shapes() -> list[str]:
    """The names of the templates for a folder."""
    return sorted(p.name for p in TEMPLATES.iterdir() if p.is_dir() and p.name != SINGLE)


def new(path: Path, shape: str = "sgd", single: bool = False) -> list[Path]:
    """Writes the files of a new paper and returns them. Raises UsageError, and writes nothing, if it cannot."""
    if shape not in shapes():
        raise UsageError(f"there is no template {shape!r}; there are {', '.join(shapes())}")
    if single and shape != "sgd":
        raise UsageError(f"the template {shape!r} is a folder; leave out --single-file (and .py)")
    try:
        path = path.expanduser()
    except RuntimeError:
        raise UsageError(f"{path} is in the home of a user who is not known here") from None
    if single and path.suffix != ".py" and path.name:  # "/" has no name, and is refused below
        path = path.with_name(f"{path.name}.py")
    key = path.stem if single else path.resolve().name
    if not papers.KEY.fullmatch(key):
        raise UsageError(f"{key!r} cannot be a key: letters, digits, _ and - only, a letter first")
    if key in papers.standing():
        raise UsageError(f"{key!r} is the key of another paper; take another name")
    if key == "workbench":
        raise UsageError("a folder workbench could hide the workbench itself; take another name")
    if path.exists() and (single or not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} exists already; nothing was written")
    templates = sorted((TEMPLATES / (SINGLE if single else shape)).glob("*.txt"))
    texts = {p.stem: p.read_text(encoding="utf-8") for p in templates}
    try:
        (path.parent if single else path).mkdir(parents=True, exist_ok=True)
        files = []
        for name, text in texts.items():
            file = path if single else path / name
            file.write_text(text, encoding="utf-8")
            files.append(file)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    return files
