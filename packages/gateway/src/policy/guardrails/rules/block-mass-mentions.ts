import { z } from 'zod'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { defineRule, fieldParams, readFields } from '../values/rule.ts'

const EVERYONE =
  /(?<![a-z0-9.])@ ?(?:everyone|here|channel|all|team|group|room)(?![\w.-]*@[a-z0-9]|_*[a-z0-9])|<!(?:everyone|here|channel|subteam)\b/
const MENTION = /(?<![\w.])@[\w-]{1,64}|<[@!][^<>]{1,64}>/g

/** Shouting at a whole room, or at more people than a message is for. */
export const blockMassMentions = defineRule({
  name: 'block_mass_mentions',
  params: { ...fieldParams, max: z.int().min(0).default(20) },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    return reading => {
      for (const { path, value } of reading.texts(fields)) {
        if (!/[@＠﹫<]/.test(value)) continue
        const text = reading.fold(value)
        if (EVERYONE.test(text)) return { field: path, text: 'mentions everyone' }
        if ((text.match(MENTION)?.length ?? 0) > params.max)
          return { field: path, text: `mentions more than ${params.max} people` }
      }
      return undefined
    }
  },
})
