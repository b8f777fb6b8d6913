select '' where false;
