select 'meter', 'kwh', 1772362800000;
