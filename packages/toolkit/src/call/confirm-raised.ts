import { displayTitle, HINTS } from '@hintgate/metadata'
import * as z from 'zod/mini'
import type { ToolEntry } from '../start/entries.ts'
import type { Context } from './context.ts'
import type { JudgedEffects } from './judge-effects.ts'
import type { CallError } from './results.ts'

/**
 * Asks a person about a call that does more than its tool declares, because the gateway judged it by hints that are too
 * loose. Returns an error unless the person agrees.
 */
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
      message: `${what}. The call needs approval, but the client cannot ask a person. Nothing was done.`,
    }
  return { code: 'confirmation_denied', message: `${what}. A person denied the call. Nothing was done.` }
}
