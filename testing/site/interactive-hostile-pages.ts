/** Pages that fight whoever steers, the browser, or the machine. All under `/hostile/`. None may harm another session or the evidence. */
import { fixed, prose, type Page } from './page.ts'

const page = (name: string, about: string, body: string): Page =>
  fixed(`/hostile/${name}/`, about, `Hostile: ${name}`, `<h1>${name}</h1>${prose}${body}`)

const onGesture = (script: string): string => `<button id="go" style="font-size:40px">Go</button><script>
const go=()=>{${script}};document.getElementById('go').onclick=go;addEventListener('keydown',go);</script>`

export const interactiveHostilePages: readonly Page[] = [
  page('pointer-lock', 'takes the pointer', onGesture(`document.body.requestPointerLock()`)),
  page(
    'keyboard-lock',
    'takes the keyboard and the full screen',
    onGesture(`document.documentElement.requestFullscreen().then(()=>navigator.keyboard?.lock())`),
  ),
  page('full-screen', 'goes full screen at every event', onGesture(`document.documentElement.requestFullscreen().catch(()=>{})`)),
  page(
    'swallow',
    'swallows every key, button and wheel',
    `<script>for(const t of ['keydown','keyup','keypress','mousedown','mouseup','click','contextmenu','wheel','paste','copy','beforeinput'])addEventListener(t,e=>{e.preventDefault();e.stopImmediatePropagation()},{capture:true,passive:false})</script>`,
  ),
  page('print', 'prints, again and again', `<script>setInterval(()=>print(),200);print()</script>`),
  page(
    'beep',
    'beeps without end',
    onGesture(`const c=new AudioContext();const o=c.createOscillator();o.type='square';o.connect(c.destination);o.start()`),
  ),
  page(
    'popups',
    'opens 500 windows',
    onGesture(`for(let i=0;i<500;i++)window.open('/hostile/child/?'+i,'_blank',i%2?'width=300,height=200':'')`),
  ),
  page('child', 'one of the 500', `<script>document.title='child '+location.search</script>`),
  page(
    'popunder',
    'opens a window from each window',
    onGesture(`const f=()=>{window.open('/hostile/popunder/');setTimeout(f,50)};f()`),
  ),
  page(
    'memory',
    'exhausts memory',
    onGesture(`const a=[];setInterval(()=>{for(let i=0;i<8;i++){const b=new Uint8Array(64<<20);b.fill(7);a.push(b)}},50)`),
  ),
  page(
    'gpu',
    'draws without end on the graphics processor',
    `<canvas id="g"></canvas>${onGesture(`const g=document.getElementById('g').getContext('webgl');if(!g)return;const s=g.createShader(g.FRAGMENT_SHADER);g.shaderSource(s,'precision highp float;void main(){float a=0.;for(int i=0;i<100000000;i++){a+=sin(float(i));}gl_FragColor=vec4(a);}');g.compileShader(s);const v=g.createShader(g.VERTEX_SHADER);g.shaderSource(v,'attribute vec2 p;void main(){gl_Position=vec4(p,0.,1.);}');g.compileShader(v);const p=g.createProgram();g.attachShader(p,s);g.attachShader(p,v);g.linkProgram(p);g.useProgram(p);g.bindBuffer(g.ARRAY_BUFFER,g.createBuffer());g.bufferData(g.ARRAY_BUFFER,new Float32Array([-1,-1,3,-1,-1,3]),g.STATIC_DRAW);g.enableVertexAttribArray(0);g.vertexAttribPointer(0,2,g.FLOAT,false,0,0);setInterval(()=>g.drawArrays(g.TRIANGLES,0,3),0)`)}`,
  ),
  page('busy', 'never answers', onGesture(`for(;;){}`)),
  page(
    'devices',
    'asks for camera, USB, MIDI, place, notices, clipboard',
    `<pre id="got"></pre>${onGesture(`const got=document.getElementById('got');const say=(n)=>(v)=>{got.textContent+=n+': '+(v?.name??v)+'\\n'};for(const [n,f] of Object.entries({camera:()=>navigator.mediaDevices.getUserMedia({video:true,audio:true}),screen:()=>navigator.mediaDevices.getDisplayMedia(),usb:()=>navigator.usb.requestDevice({filters:[]}),hid:()=>navigator.hid.requestDevice({filters:[]}),serial:()=>navigator.serial.requestPort(),bluetooth:()=>navigator.bluetooth.requestDevice({acceptAllDevices:true}),midi:()=>navigator.requestMIDIAccess({sysex:true}),notices:()=>Notification.requestPermission(),clipboard:()=>navigator.clipboard.readText(),place:()=>new Promise((y,z)=>navigator.geolocation.getCurrentPosition(y,z))}))try{f().then(say(n+' given'),say(n+' refused'))}catch(e){say(n+' refused')(e)}`)}`,
  ),
  page(
    'never-paints',
    'never lets a frame through',
    `<script>const f=()=>{const end=performance.now()+14;while(performance.now()<end);requestAnimationFrame(f)};f()</script>`,
  ),
  page('dialogs', 'one dialog after the other', `<script>for(let i=0;i<1000;i++)alert('no. '+i)</script>`),
  page(
    'trap',
    'does not let go',
    onGesture(
      `addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='stay'});setInterval(()=>history.pushState(0,'','#'+Math.random()),20)`,
    ),
  ),
  page(
    'titles',
    'changes title and address a thousand times a second',
    `<script>let n=0;const f=()=>{for(let i=0;i<20;i++){document.title='<img src=x onerror=alert(1)> \\u202e'+(n++);history.replaceState(0,'','?'+n)}setTimeout(f,0)};f()</script>`,
  ),
  page(
    'requests',
    'asks for a thousand things',
    `<script>for(let i=0;i<1000;i++)fetch('/asset/image-1.png?'+i).catch(()=>{})</script>`,
  ),
  page(
    'downloads',
    'has a hundred files saved',
    onGesture(
      `for(let i=0;i<100;i++){const a=document.createElement('a');a.href='/live/file?name=f'+i+'.pdf';a.download='';a.click()}`,
    ),
  ),
  page(
    'protocols',
    'leaves by other schemes',
    onGesture(
      `for(const u of ['mailto:a@b.test','tel:123','file:///etc/passwd','view-source:about:blank','chrome://version','devtools://devtools/bundled/inspector.html','intent:x','ssh://x'])try{window.open(u)}catch{}`,
    ),
  ),
]
