SELECT a, b, c FROM JSON_TABLE('{"a b":{"c-d":5,"ü":"x"},"it''s":1}') WITH(a Long '$[''a b''][''c-d'']', b String '$["a b"]["ü"]', c Long "$['it\'s']");
-- [5,"x",1]
