/** All control characters but tabs and the ends of lines. */
export const CONTROLS = '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F'
/** Of those, the ones that a code for terminals begins or ends with; and the others. */
export const STARTS_AND_ENDS = '\\u0007\\u001B\\u0090\\u0098\\u009B-\\u009F'
export const OTHER_CONTROLS =
  '\\u0000-\\u0006\\u0008\\u000B\\u000C\\u000E-\\u001A\\u001C-\\u001F\\u007F-\\u008F\\u0091-\\u0097\\u0099\\u009A'
/** What else shows nothing, or no agreed shape. Some of it is honest where it stands. */
const UNSEEN_MARKS = '\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\p{Co}\\uFFF9-\\uFFFB'
export const UNSEEN = `${CONTROLS}${UNSEEN_MARKS}`

/** Colours on a terminal, and the rest of a line cleared for them: what many tools print, and no trick. */
export const COLOUR = '\\u001B\\[(?:\\d{0,4}(?:[;:]\\d{0,4}){0,20}m|K)'

/**
 * A code is none to a terminal with such a character in it, but one to whoever takes those out first. No code begins with
 * one, so none is looked at twice.
 */
export const UNSEEN_IN_CODES = `[${OTHER_CONTROLS}${UNSEEN_MARKS}]`
const GAP = `${UNSEEN_IN_CODES}*`
/** Colours, places, what to clear: a letter, and numbers before it. */
const CONTROL_SEQUENCE = `(?:\\u001B${GAP}\\[|\\u009B)(?:${GAP}[0-?]){0,64}(?:${GAP}[ -/]){0,4}${GAP}[@-~]`
/** Links, titles and other texts for the terminal itself, to their end. */
const STRING = `(?:\\u001B${GAP}[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])[^${STARTS_AND_ENDS}]{0,2048}(?:\\u0007|\\u001B${GAP}\\\\|\\u009C)`
/** Which letters there are. */
const CHARACTER_SET = `\\u001B${GAP}[()]${GAP}[AB0-2]`

/** Whatever a terminal does not show but obeys (ECMA-48), as a whole: of half of it the rest would be shown. */
export const TERMINAL_CODE = `${CONTROL_SEQUENCE}|${STRING}|${CHARACTER_SET}`
