/**
 * Which looks at the screen become pictures, in ffmpeg's own words. Pictures have times of their own, `picturesPerSecond` of them a second. What
 * changed becomes a picture with the look that saw it, unless its time has one already: then the first look of the next time is a picture,
 * which shows what stands there by then, so that the end of a movement is never let go. Where nothing changes, in `timesPerPicture` times there is one.
 */

export const picturesPerSecond = 25
/** So much later at most a change of a page that stood still is seen. Each look that shows nothing new costs a comparison of the screen. */
export const looksPerSecond = 50
const timesPerPicture = 5
/** After so many times at which the screen was looked at we are told so (read-looks.ts): once a second. */
export const timesPerCount = picturesPerSecond

/** The detector's word for a look that differs from the one before: its value is a time, in seconds since 1970. */
const word = 'lavfi.freezedetect.freeze_end'
/** What `word` says after the others have had their say. */
const same = 0
const changed = 1
const sameAndFirst = 3
/** Any time is greater. */
const firstOrChangedAndFirst = `gte(VALUE1,${String(sameAndFirst)})`
const changedAtAll = `eq(VALUE1,${String(changed)})+gt(VALUE1,${String(sameAndFirst + 1)})`

/**
 * Whether a look is the first of its time. Each expression of ffmpeg has memories of its own: 0, when the next time begins; 1, how many times there
 * were; 2, the look that was asked about, as ffmpeg asks twice; 3, the answer. After a look that is late the next time begins when it would have.
 */
const firstOfItsTime = (also = ''): string => {
  const period = String(1 / picturesPerSecond)
  const first = `st(0,t-mod(t-ld(0),${period})+${period})${also}`
  return `if(eq(t,ld(2)),0,st(2,t);st(3,gte(t,ld(0)));if(ld(3),${first},0));ld(3)`
}
const oneOfSoMany = firstOfItsTime(`;st(1,ld(1)+1);st(3,not(mod(ld(1)-1,${String(timesPerCount)})))`)

/** 0: something changed since the last picture; 1: this time has none yet; 2: how many times ago the last was; 3: there was one. */
const isPicture = [
  `st(0,max(ld(0),${changedAtAll}))`,
  `st(1,max(ld(1),${firstOrChangedAndFirst}))`,
  `st(2,ld(2)+${firstOrChangedAndFirst})`,
  `if(ld(1)*max(ld(0),gte(ld(2),${String(timesPerPicture)}))+not(ld(3)),st(0,0);st(1,0);st(2,0);st(3,1),0)`,
].join(';')

/** In a graph of filters comma and semicolon are its own. */
const inGraph = (expression: string): string => expression.replaceAll(/[,;]/g, String.raw`\$&`)

/** @param counts where the counts go, as ffmpeg names a file within a graph of filters */
export function chooseLooks(counts: string): readonly string[] {
  const say = `key=${word}:value=`
  return [
    // After a stall the grabber catches up: looks of one and the same moment are left out, one that was due is kept (decision 0243).
    `select=${inGraph('isnan(prev_selected_t)+gte(t-prev_selected_t,0.005)')}`,
    'freezedetect=n=0:d=0',
    'metadata=mode=add:key=look:value=1',
    `metadata=mode=print:key=look:file=${counts}:direct=1:enable=${inGraph(oneOfSoMany)}`,
    // No filter knows both what changed and what time it is: one after the other writes its part into the one word.
    `metadata=mode=add:${say}${String(same)}`,
    `metadata=mode=delete:${say}${String(changed)}:function=greater:enable=${inGraph(`not(${firstOfItsTime()})`)}`,
    `metadata=mode=add:${say}${String(changed)}`,
    `metadata=mode=delete:${say}${String(changed)}:function=less:enable=${inGraph(firstOfItsTime())}`,
    `metadata=mode=add:${say}${String(sameAndFirst)}`,
    `metadata=mode=select:${say}${String(same)}:function=expr:expr=${inGraph(isPicture)}`,
  ]
}
