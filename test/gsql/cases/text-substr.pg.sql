select 'ello', 'ell', 'llo', 'll', 'he', '', 'el', 'el';
