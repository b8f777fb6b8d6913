select E'a"b\\cü\n/';
