# The i830 beside what its classic driver did, and beside an exhaustive search for covers (tests/classic_i830.py, tests/cover_i830.py).
tests_add(classic_i830_model short ${PYTHON} tests/classic_i830.py --self)
