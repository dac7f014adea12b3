import { displayTitle, HINTS } from '@hintgate/metadata'
import * as z from 'zod/mini'
import type { ToolEntry } from '../start/entries.ts'
import type { Context } from './context.ts'
import type { JudgedEffects } from './judge-effects.ts'
import type { CallError } from './results.ts'

/** A call that does more than its tool declares was judged by hints that are too loose, so a person decides. */
export async function confirmRaised(
  { definition, previewOf }: ToolEntry,
  { raised }: JudgedEffects,
  ctx: Context<unknown>,
): Promise<CallError | undefined> {
  if (previewOf !== undefined) return undefined
  const labels = raised.map(hint => (HINTS[hint].strict ? HINTS[hint].label : `not ${HINTS[hint].label}`))
  const what = `With these arguments ${displayTitle(definition)} is ${labels.join(', ')}, which the tool does not declare`
  const answer = await ctx.elicit(`${what}. Continue?`, { goOn: z.boolean() })
  if (answer.action === 'accept' && answer.content.goOn) return undefined
  if (answer.action === 'unavailable')
    return {
      code: 'confirmation_required',
      message: `${what}. This needs approval, but the client cannot ask a person. Nothing was done.`,
    }
  return { code: 'confirmation_denied', message: `${what}. A person denied it. Nothing was done.` }
}
