select '12';
