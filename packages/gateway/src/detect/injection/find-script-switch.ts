import type { Stretch } from '../text/stretch.ts'

/** Scripts by their blocks. Kana and Chinese characters, which Japanese mixes, are one; so is Latin, which all mix. */
const BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x0370, 0x03ff],
  [0x0400, 0x052f],
  [0x0590, 0x05ff],
  [0x0600, 0x06ff],
  [0x0900, 0x097f],
  [0x0980, 0x09ff],
  [0x0e00, 0x0e7f],
  [0x3040, 0x30ff],
  [0xac00, 0xd7a3],
]
const NO_SCRIPT = -1
/** The number of the script of every code. */
const SCRIPTS = new Int8Array(0x1_0000).fill(NO_SCRIPT)
for (const [script, [first, last]] of BLOCKS.entries()) SCRIPTS.fill(script, first, last + 1)
/** So many letters are more than a name or a sample. */
const MIN_RUN = 6

/** Two scripts that no language mixes: one of them is for somebody else than the reader. One pass. */
export function findScriptSwitch(text: string): Stretch | undefined {
  let known = NO_SCRIPT
  let script = NO_SCRIPT
  let start = 0
  let run = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x20) continue
    const next = SCRIPTS[code] ?? NO_SCRIPT
    if (next !== script) {
      script = next
      start = at
      run = 0
    }
    run += 1
    if (script === NO_SCRIPT || run < MIN_RUN || script === known) continue
    if (known !== NO_SCRIPT) return { start, end: at + 1 }
    known = script
  }
  return undefined
}
