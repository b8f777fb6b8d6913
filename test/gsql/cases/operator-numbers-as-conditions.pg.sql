select true, false, false, true, 'yes';
