SELECT k, Group_Concat(v), First(v), Last(v) FROM JSON_TABLE('[["b",9],["a",8],["b",7],["a",6],["b",5],["a",4],["b",3],["a",2],["b",1],["a",0],["b",12],["a",11]]') WITH(k String '$[*][0]', v Long '$[*][1]') GROUP BY k ORDER BY k;
-- ["a","8,6,4,2,0,11",8,11]
-- ["b","9,7,5,3,1,12",9,12]
