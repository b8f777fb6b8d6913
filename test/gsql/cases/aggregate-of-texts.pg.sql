select '10', '9', 19::float8, 9.5::float8;
