select '2';
