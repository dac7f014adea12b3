import { isObjection } from '../review/objection.ts'
import { parseTarget } from '../review/parse-target.ts'
import { layOut, type Question } from '../review/sheet.ts'
import { createPaint } from './colours.ts'
import { EXIT } from './exit-codes.ts'
import { endWith, type ReviewFlags, withDesk } from './review-desk.ts'
import { toSheetJson } from './review-sheet-json.ts'
import { showSheet } from './review-show-sheet.ts'
import { showJson } from './show/show-json.ts'

export interface DiffFlags extends ReviewFlags, Question {}

const paint = createPaint(process.stdout, process.env)

/** `hintgate tools diff`. */
export function diff(typed: string, flags: DiffFlags): Promise<void> {
  return withDesk(flags, async desk => {
    const target = parseTarget(typed)
    if (isObjection(target)) return endWith(target)
    const sheet = layOut(desk, target, flags)
    if (isObjection(sheet)) return endWith(sheet)
    return { code: EXIT.done, out: flags.json ? showJson(toSheetJson(sheet)) : showSheet(sheet, paint) }
  })
}
