SELECT ReplaceFirst('a1b2', '\d', '#'), ReplaceFirst('2024-01-02', '(\d+)-(\d+)-(\d+)', '$3.$2.$1'), ReplaceFirst('<a><b>', '<.*?>', '');
-- ["a#b2","02.01.2024","<b>"]
