"""Which theorem of paper `rsvrb` is tested on which problem, with which falsifiers."""
