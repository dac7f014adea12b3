import { COST } from '../values/effort.ts'
import type { Reading } from '../values/reading.ts'
import { defineRule, fieldParams, readFields } from '../values/rule.ts'
import { usualFields } from '../values/usual-fields.ts'

const ACTION_FIELDS = usualFields('actions')
const COMMAND_FIELDS = usualFields('commands')
/** A switch of a tool that does something else without it, as `delete` of a push. */
const SWITCH = readFields({ field: 'delete' }, [])
const OFF: ReadonlySet<unknown> = new Set([false, 'false', 0, '0', ''])
const VERBS = 'remove|destroy|purge|erase|wipe|truncate'
/** Words of shells and of patches, which are something else inside other words. */
const SHORT = 'rm|rmdir|del'
/** `force_delete`, `bulk remove`. */
const HOW = '(?:(?:bulk|batch|mass|hard|soft|force|permanently)[ _-]?)?'
/** Of an `archive` and of `trash` one reads, too, and a `drop-in` is no drop. */
const ARCHIVES = '(?:archive|trash)(?![ _.-]+(?:search|list|get|find|read|query|view|count)(?![a-z]))'
const DROPS = 'drop(?![ _-]+(?:in|down|off|out)(?![a-z]))'
/** `deleted.list` is about what was deleted before. */
const PAST =
  '(?:deleted|removed|destroyed|purged|erased|wiped|truncated|archived|trashed|dropped)[^a-z]+[a-z]'

/**
 * `delete` and what begins with it; another verb with something behind it, as in `remove_user`; one that begins the name
 * behind a dot, as in `messages.delete_many`; or one at the end: `chat.delete`.
 */
const BEGINS = `^["']?(?!${PAST})${HOW}(?:delete|(?:${SHORT})(?![a-z])|(?:${VERBS}|${ARCHIVES}|${DROPS})(?:[ds]|all|many|one|permanently)?(?![a-z]))`
const DELETES = new RegExp(
  [
    BEGINS,
    `[./:]${HOW}(?:(?:delete|${VERBS})(?![a-z])|${DROPS}[ _-]+[a-z])`,
    `(?<!un)[^a-z](?:delete|${VERBS})["']?$`,
  ].join('|'),
)

/** A line for a shell: what stands in its middle may be a file's name, or a word that is looked for. */
const LINE = /^\S+\s+\S/
const BEGINS_WITH = new RegExp(BEGINS)

function runsDelete(written: string, reading: Reading): boolean {
  const line = written.trim()
  return LINE.test(line) ? BEGINS_WITH.test(reading.fold(line).trim()) : asksToDelete(line, reading)
}

/** Between `remove` and `User`, and between `HTTP` and `Delete`. */
const JOINT = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu

/** As it is written, and with its words apart. */
function asksToDelete(written: string, reading: Reading): boolean {
  if (DELETES.test(reading.fold(written).trim())) return true
  if (!HAS_JOINT.test(written) || !reading.spend(COST.joint * written.length)) return false
  return DELETES.test(reading.fold(written.replaceAll(JOINT, ' ')).trim())
}

const HAS_JOINT = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Ll}/u

/** Tools that delete, and tools that do when an argument says so. */
export const blockDelete = defineRule({
  name: 'block_delete',
  params: fieldParams,
  compile: params => {
    const fields = readFields(params, ACTION_FIELDS)
    const isUsual = fields === ACTION_FIELDS
    const switches = isUsual ? SWITCH : []
    const commands = isUsual ? COMMAND_FIELDS : []
    return reading => {
      const { category, variant } = reading.facts.tool
      if (category === 'delete' || variant === 'call_tool_destructive')
        return { field: '', text: 'the tool deletes or can destroy data' }
      const hit =
        reading.texts(fields).find(({ value }) => asksToDelete(value, reading)) ??
        reading.texts(commands).find(({ value }) => runsDelete(value, reading)) ??
        reading.leaves(switches).find(({ value }) => !OFF.has(value))
      return hit && { field: hit.path, text: 'asks for something to be deleted' }
    }
  },
})
