import{a,b}from"./part-VZXQLM6B.js";import"./part-DV3BSL7A.js";import"./part-2T2SU6U6.js";import"./part-LNPEOZA3.js";import"./part-DXN7RBHX.js";export{b as JobRow,a as StatusPage};
