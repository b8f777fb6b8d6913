SELECT a, b FROM CSV_TABLE('"x,y","say ""hi"""
"two
lines",5" pipe') WITH (1 a STRING, 2 b STRING);
-- ["x,y","say \"hi\""]
-- ["two\nlines","5\" pipe"]
