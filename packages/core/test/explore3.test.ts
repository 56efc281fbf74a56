import { test } from "vitest";
import { anthropic } from "/work/main/packages/core/src/adapters/anthropic/index.ts";
import { openaiChat } from "/work/main/packages/core/src/adapters/openai-chat/index.ts";
import { createSession, restoreSession, TidemarkError } from "/work/main/packages/core/src/index.ts";
const rep=(n:number,f:(i:number)=>any)=>Array.from({length:n},(_,i)=>f(i));
const u=(t:any)=>({role:"user",content:t}); const a=(t:any)=>({role:"assistant",content:t});
const A=(messages:any[],more:any={})=>({model:"claude-opus-5-5",max_tokens:100,messages,...more});
const C=(messages:any[],more:any={})=>({model:"gpt-4.1",messages,...more});
const call=(i:any)=>({type:"tool_use",id:"c"+i,name:"t",input:{a:i}}); const res=(i:any)=>({type:"tool_result",tool_use_id:"c"+i,content:"r"+i});
const ccall=(i:any)=>({id:"c"+i,type:"function",function:{name:"t",arguments:`{"a":${i}}`}}); const cres=(i:any)=>({role:"tool",tool_call_id:"c"+i,content:"r"+i});
const wires:any={A:anthropic(),C:openaiChat()};
const shapes:Record<string,[string,number,(n:number)=>any[],any?]>={
 "A messages":["A",1000,n=>[A(rep(n,i=>i%2?a("x"+i):u("y"+i)).concat(u("z")))]],
 "A messages twice":["A",1000,n=>{const h=rep(n,i=>i%2?a("x"+i):u("y"+i)).concat(u("z"));return [A(h),A(h.concat(a("q"),u("w")))]}],
 "A all the same":["A",1000,n=>{const h=rep(n,i=>i%2?a("x"):u("y")).concat(u("z"));return [A(h),A(h.slice(2))]}],
 "A all the same, edited first":["A",1000,n=>{const h=rep(n,i=>i%2?a("x"):u("y")).concat(u("z"));return [A(h),A([u("other"),...h.slice(1)])]}],
 "A all the same, in blocks":["A",1000,n=>{const h=rep(n,i=>i%2?a("x"):u("y")).concat(u("z"));return [A(h),A(h.map((m:any)=>({role:m.role,content:[{type:"text",text:m.content}]})))]}],
 "A trimmed":["A",1000,n=>{const h=rep(n,i=>i%2?a("x"+i):u("y"+i)).concat(u("z"));return [A(h),A(h.slice(n/2))]}],
 "A replaced":["A",1000,n=>{const h=rep(n,i=>i%2?a("x"+i):u("y"+i)).concat(u("z"));return [A(h),A(rep(n,i=>i%2?a("p"+i):u("q"+i)).concat(u("z")))]}],
 "A user messages":["A",1000,n=>[A(rep(n,i=>u("y"+i)))]],
 "A user messages twice, joined":["A",1000,n=>[A(rep(n,i=>u("y"+i))),A([u(rep(n,i=>({type:"text",text:"y"+i}))),a("x"),u("z")])]],
 "A assistant messages":["A",1000,n=>[A([u("a"),...rep(n,i=>a("y"+i)),u("b")])]],
 "A blocks":["A",1000,n=>[A([u(rep(n,i=>({type:"text",text:"y"+i})))])]],
 "A empty blocks":["A",1000,n=>[A([u([...rep(n,()=>({type:"text",text:""})),{type:"text",text:"x"}])])]],
 "A empty messages":["A",1000,n=>[A([...rep(n,()=>u("")),u("x"),a("q"),...rep(n,()=>a("")),u("r")])]],
 "A batch":["A",500,n=>[A([u("a"),a(rep(n,call)),u(rep(n,res))])]],
 "A batch reversed":["A",500,n=>{const h=[u("a"),a(rep(n,call)),u(rep(n,res).reverse())];return [A(h),A([u("a"),a(rep(n,call)),u(rep(n,res)),a("x"),u("b")])]}],
 "A results in messages":["A",500,n=>[A([u("a"),a(rep(n,call)),...rep(n,i=>u([res(i)]))])]],
 "A batch unanswered":["A",500,n=>[A([u("a"),a(rep(n,call)),u("b")])]],
 "A same id":["A",500,n=>[A([u("a"),a(rep(n,()=>call(1))),u(rep(n,()=>res(1)))])]],
 "A same id in turns":["A",250,n=>[A([u("a"),...rep(n,()=>[a([call(1)]),u([res(1)])]).flat()])]],
 "A orphans":["A",500,n=>[A([u(rep(n,res))])]],
 "A duplicates":["A",500,n=>[A([u("a"),a([call(1)]),u(rep(n,()=>res(1)))])]],
 "A late":["A",250,n=>[A([u("a"),a(rep(n,call)),u("b"),a("x"),u(rep(n,res))])]],
 "A tools":["A",500,n=>{const t=rep(n,i=>({name:"t"+i,description:"d",input_schema:{type:"object"}}));return [A([u("a")],{tools:t}),A([u("a")],{tools:[...t].reverse()})]}],
 "A tools changed":["A",500,n=>{const t=rep(n,i=>({name:"t"+i,description:"d",input_schema:{type:"object"}}));return [A([u("a")],{tools:t}),A([u("a")],{tools:t.map((x:any)=>({...x,description:"e"}))})]}],
 "A system":["A",500,n=>[A([u("a")],{system:rep(n,i=>({type:"text",text:"s"+i}))})]],
 "A members of input":["A",1000,n=>[A([u("a"),a([{type:"tool_use",id:"c",name:"t",input:Object.fromEntries(rep(n,i=>["k"+i,i]))}]),u([{type:"tool_result",tool_use_id:"c",content:"x"}])])]],
 "A members of input, reordered":["A",1000,n=>{const f=(r:boolean)=>{const e=rep(n,i=>["k"+i,i]); if(r) e.reverse(); return [u("a"),a([{type:"tool_use",id:"c",name:"t",input:Object.fromEntries(e)}]),u([{type:"tool_result",tool_use_id:"c",content:"x"}])]};return [A(f(false)),A(f(true))]}],
 "A unknown members of a block":["A",1000,n=>[A([u([{type:"text",text:"a",...Object.fromEntries(rep(n,i=>["k"+i,i]))}])])]],
 "A unknown members of a message":["A",1000,n=>[A([{...u("a"),...Object.fromEntries(rep(n,i=>["k"+i,i]))}])]],
 "A unknown members of request":["A",1000,n=>[A([u("a")],Object.fromEntries(rep(n,i=>["k"+i,i])))]],
 "A long text":["A",500_000,n=>[A([u("ab c\n".repeat(n/5))])]],
 "A long result":["A",500_000,n=>[A([u("a"),a([call(1)]),u([{type:"tool_result",tool_use_id:"c1",content:"ab c\n".repeat(n/5)}])])]],
 "A long result, one line":["A",500_000,n=>[A([u("a"),a([call(1)]),u([{type:"tool_result",tool_use_id:"c1",content:"abcd".repeat(n/4)}])])]],
 "A long result, newlines":["A",500_000,n=>[A([u("a"),a([call(1)]),u([{type:"tool_result",tool_use_id:"c1",content:"\n".repeat(n)+"x"}])])]],
 "A long result, one cluster":["A",100_000,n=>[A([u("a"),a([call(1)]),u([{type:"tool_result",tool_use_id:"c1",content:"e"+"\u0301".repeat(n)}])])]],
 "A surrogates":["A",500_000,n=>[A([u("\ud83d".repeat(n))])]],
 "A base64":["A",500_000,n=>[A([u([{type:"image",source:{type:"base64",media_type:"image/png",data:"iVBORw0KGgo".padEnd(n,"A")}}])])]],
 "A deep":["A",5000,n=>{let v:any="x";for(let i=0;i<n;i++)v={a:v};return [A([u([{type:"text",text:"a",x:v}])])]}],
 "A cyclic wide":["A",5000,n=>{const v:any={list:rep(n,i=>({i}))};v.list.push(v);return [A([u([{type:"text",text:"a",x:v}])])]}],
 "A holes":["A",20000,n=>{const v:any[]=[];v[n]=1;return [A([u([{type:"text",text:"a",x:v}])])]}],
 "A system messages":["A",500,n=>[A([u("a"),...rep(n,i=>({role:"system",content:"s"+i}))])]],
 "A system between":["A",500,n=>[A([u("a"),...rep(n,i=>[{role:"system",content:"s"+i},u("u"+i)]).flat()])]],
 "A marks":["A",500,n=>[A([u(rep(n,i=>({type:"text",text:"y"+i,cache_control:{type:"ephemeral"}})))])]],
 "C messages":["C",1000,n=>[C(rep(n,i=>i%2?a("x"+i):u("y"+i)).concat(u("z")))]],
 "C all the same":["C",1000,n=>{const h=rep(n,i=>i%2?a("x"):u("y")).concat(u("z"));return [C(h),C(h.slice(2))]}],
 "C user messages":["C",1000,n=>[C(rep(n,i=>u("y"+i)))]],
 "C assistant messages":["C",1000,n=>[C([u("a"),...rep(n,i=>a("y"+i)),u("b")])]],
 "C batch reversed":["C",500,n=>{const h=(r:boolean)=>[u("a"),{role:"assistant",content:null,tool_calls:rep(n,ccall)},...(r?rep(n,cres).reverse():rep(n,cres))];return [C(h(true)),C([...h(false),a("x"),u("b")])]}],
 "C same id":["C",500,n=>[C([u("a"),{role:"assistant",content:null,tool_calls:rep(n,()=>ccall(1))},...rep(n,()=>cres(1))])]],
 "C orphans":["C",500,n=>[C([u("a"),...rep(n,cres)])]],
 "C unknown members of a message":["C",1000,n=>[C([{...u("a"),...Object.fromEntries(rep(n,i=>["k"+i,i]))}])]],
 "C members of a tool":["C",1000,n=>[C([u("a")],{tools:[{type:"function",function:{name:"t"},...Object.fromEntries(rep(n,i=>["k"+i,i]))}]})]],
 "C arguments":["C",100_000,n=>[C([u("a"),{role:"assistant",content:null,tool_calls:[{id:"c1",type:"function",function:{name:"t",arguments:JSON.stringify({a:"b".repeat(n)})}}]},cres(1)])]],
 "C arguments cut":["C",100_000,n=>[C([u("a"),{role:"assistant",content:null,tool_calls:[{id:"c1",type:"function",function:{name:"t",arguments:"{\"a\":\""+"b".repeat(n)}}]},cres(1)])]],
 "C deep arguments":["C",5000,n=>[C([u("a"),{role:"assistant",content:null,tool_calls:[{id:"c1",type:"function",function:{name:"t",arguments:"[".repeat(n)+"]".repeat(n)}}]},cres(1)])]],
 "C system":["C",500,n=>[C([...rep(n,i=>({role:"system",content:"s"+i})),u("a")])]],
 "C system between":["C",500,n=>[C([u("a"),...rep(n,i=>[{role:"system",content:"s"+i},u("u"+i)]).flat()])]],
};
async function run(w:string,reqs:any[],strict:boolean){ const s=createSession({wire:wires[w],toolResultCap:strict?false as const:3072}); let out=""; const t=performance.now(); for(const r of reqs){ try{ const x=await s.prepare(r); out=x.continuity.checkpoints.map(c=>c.reason+c.at).join(); }catch(e:any){ out=e instanceof TidemarkError?e.code+" "+String(e.path).slice(0,40):"RAW "+String(e?.message).slice(0,60);} } const ms=performance.now()-t; const t2=performance.now(); try{ const sn=JSON.parse(JSON.stringify(s.snapshot())); const r=restoreSession(sn,{wire:wires[w],toolResultCap:strict?false as const:3072}); await r.prepare(reqs.at(-1)); }catch(e:any){ if(!(e instanceof TidemarkError)) out+=" RESTORE RAW "+String(e?.message).slice(0,80);} return [ms,out,performance.now()-t2] as const; }
test("explore", async () => {
  for (const [name,[w,n,make]] of Object.entries(shapes)) {
    await run(w,make(Math.ceil(n/4)),true);
    let s=1e9,b=1e9,s2=1e9,b2=1e9,out="";
    for(let i=0;i<2;i++){ const r=await run(w,make(n),i===0); s=Math.min(s,r[0]); s2=Math.min(s2,r[2]); }
    for(let i=0;i<1;i++){ const r=await run(w,make(n*8),false); b=Math.min(b,r[0]); b2=Math.min(b2,r[2]); out=r[1]; }
    console.log(`${(b/s)>16||b2/s2>16?"!!":"  "} ${name.padEnd(34)} ${s.toFixed(1)} -> ${b.toFixed(1)} x${(b/s).toFixed(1)}   restore ${s2.toFixed(1)} -> ${b2.toFixed(1)} x${(b2/s2).toFixed(1)}  ${out}`);
  }
}, 600000);
