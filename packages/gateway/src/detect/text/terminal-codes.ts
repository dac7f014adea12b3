/** All control characters except tabs and line breaks. */
export const CONTROLS = '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F'
/** Control characters that start or end a terminal code. `OTHER_CONTROLS` has all the others. */
export const STARTS_AND_ENDS = '\\u0007\\u001B\\u0090\\u0098\\u009B-\\u009F'
export const OTHER_CONTROLS =
  '\\u0000-\\u0006\\u0008\\u000B\\u000C\\u000E-\\u001A\\u001C-\\u001F\\u007F-\\u008F\\u0091-\\u0097\\u0099\\u009A'
/** Other characters without a visible or standard glyph. Some of them are legitimate in certain contexts. */
const UNSEEN_MARKS = '\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\p{Co}\\uFFF9-\\uFFFB'
export const UNSEEN = `${CONTROLS}${UNSEEN_MARKS}`

/** Terminal codes that set a colour or clear the rest of a line. Many tools print them legitimately. */
export const COLOUR = '\\u001B\\[(?:\\d{0,4}(?:[;:]\\d{0,4}){0,20}m|K)'

/**
 * Invisible characters that can be hidden inside a terminal code. Once they are removed, the code is complete. No code
 * starts with one of them, so nothing is matched twice.
 */
export const UNSEEN_IN_CODES = `[${OTHER_CONTROLS}${UNSEEN_MARKS}]`
const GAP = `${UNSEEN_IN_CODES}*`
/** Control sequences for colour, cursor movement and clearing. They consist of numbers followed by a letter. */
const CONTROL_SEQUENCE = `(?:\\u001B${GAP}\\[|\\u009B)(?:${GAP}[0-?]){0,64}(?:${GAP}[ -/]){0,4}${GAP}[@-~]`
/** Links, window titles and other control strings, including the code that ends them. */
const STRING = `(?:\\u001B${GAP}[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])[^${STARTS_AND_ENDS}]{0,2048}(?:\\u0007|\\u001B${GAP}\\\\|\\u009C)`
/** Codes that select a character set. */
const CHARACTER_SET = `\\u001B${GAP}[()]${GAP}[AB0-2]`

/** A complete terminal code (ECMA-48). If only part of a code were removed, the rest would become visible. */
export const TERMINAL_CODE = `${CONTROL_SEQUENCE}|${STRING}|${CHARACTER_SET}`
