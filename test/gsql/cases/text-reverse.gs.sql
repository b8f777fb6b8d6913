SELECT Reverse('abc'), Reverse('aü😀'), Reverse('');
-- ["cba","😀üa",""]
