select '1', 'über x', '', '1', null, '&';
