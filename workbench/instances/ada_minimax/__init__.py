"""Instance families of spec 000, section 6.1, and the function of the paper's section 6.1."""
