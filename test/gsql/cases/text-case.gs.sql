SELECT Lower('HeLLo ÄÖ'), Upper('HeLLo äö');
-- ["hello äö","HELLO ÄÖ"]
