import { isObjection } from '../../catalog/review/objection.ts'
import { parseTarget } from '../../catalog/review/parse-target.ts'
import { layOut, type Question } from '../../catalog/review/sheet.ts'
import { endWith, type ReviewFlags, withDesk } from '../client/review-desk.ts'
import { showJson } from '../show/show-json.ts'
import { createPaint } from '../terminal/colours.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { toSheetJson } from './review-sheet-json.ts'
import { showSheet } from './review-show-sheet.ts'

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
