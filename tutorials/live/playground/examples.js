// States to begin with, and what to look at in them.

const note = "0.8505,0.4,0.3561,0.2708,0.9474;0.6939,0.9952,0.3525,0.0898,0.2699;"
  + "0.1606,0.4863,0.0489,0.7793,0.21";

const signs = "1,1,1,1,1,1,1,1;1,1,-1,-1,-1,-1,-1,-1;-1,-1,1,1,-1,-1,-1,-1";

const examples = [
  {
    name: "the note's example",
    state: `Q=${note}&K=${note}&V=${note}&mask=100;110;111`,
    about: "Note 000 prints these weights and this output; lessons 00 and 08 compute them. Three words of five "
      + "numbers, Q = K = V; each word sees itself and those before it.",
  },
  {
    name: "saturated",
    state: `Q=${signs}&K=${signs}&V=3,0;0,2;-1,1&scale=0`,
    about: "Eight entries of variance 1, not divided by √d_k: the scores of a row lie 8 and more apart, one "
      + "weight is all but 1, and the largest entry of ∂L/∂Q is 0.0014. Divide by √d_k, and it is 0.0990 (lesson 07).",
  },
  {
    name: "leaking",
    state: "Q=1,0;0,1;1,1&K=1,0;0,1;1,1&V=1,2;3,4;5,6&mask=101;110;111&G=1,2;0,0;0,0",
    about: "A causal mask with a hole: query 0 sees key 2, its future. Only row 0 of the output counts here, so "
      + "∂L/∂K and ∂L/∂V show what it depends on: row 2 is not 0. Click on the hole: exactly 0 (lesson 08).",
  },
  {
    name: "one key to rest on",
    state: "Q=10,-10,-10,-10;-10,10,-10,-10;-10,-10,-10,10&K=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,0&V=1,2;3,4;5,6;0,0",
    about: "A row of weights sums to 1, also where a query finds nothing. Queries 0 and 1 ask for keys 0 and 1; "
      + "query 2 asks for one that is absent, and rests on key 3, whose key and value are zero (lesson 11). Block "
      + "that key, and its output is the mean of what it did not ask for.",
  },
];
