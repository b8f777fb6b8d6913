select id, id <> 'state', id <> 'state' from stream where component_key < 3 and id <> 'empty' order by id;
