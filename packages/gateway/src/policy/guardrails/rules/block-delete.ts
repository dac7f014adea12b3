import { COST } from '../values/effort.ts'
import type { Reading } from '../values/reading.ts'
import { defineRule, fieldParams, readFields } from '../values/rule.ts'
import { usualFields } from '../values/usual-fields.ts'

const ACTION_FIELDS = usualFields('actions')
const COMMAND_FIELDS = usualFields('commands')
/** Reads the argument `delete`, a flag with which some tools delete, such as a push of a branch. */
const SWITCH = readFields({ field: 'delete' }, [])
const OFF: ReadonlySet<unknown> = new Set([false, 'false', 0, '0', ''])
const VERBS = 'remove|destroy|purge|erase|wipe|truncate'
/** Shell and patch commands that delete. They count only as whole words. */
const SHORT = 'rm|rmdir|del'
/** Words that can come before a verb, as in `force_delete` and `bulk remove`. */
const HOW = '(?:(?:bulk|batch|mass|hard|soft|force|permanently)[ _-]?)?'
/**
 * Verbs that delete only in some uses. An archive or the trash can also be read (`archive_search`), and `drop-in` does
 * not delete.
 */
const ARCHIVES = '(?:archive|trash)(?![ _.-]+(?:search|list|get|find|read|query|view|count)(?![a-z]))'
const DROPS = 'drop(?![ _-]+(?:in|down|off|out)(?![a-z]))'
/** Past forms do not count: `deleted.list` reads what was deleted earlier. */
const PAST =
  '(?:deleted|removed|destroyed|purged|erased|wiped|truncated|archived|trashed|dropped)[^a-z]+[a-z]'

/**
 * Matches a name that begins with a verb of deletion: any word that starts with `delete`, or another verb as a whole
 * word, such as `remove` in `remove_user`. `DELETES` adds a verb after a dot, as in `messages.delete_many`, and a verb at the end, as in
 * `chat.delete`.
 */
const BEGINS = `^["']?(?!${PAST})${HOW}(?:delete|(?:${SHORT})(?![a-z])|(?:${VERBS}|${ARCHIVES}|${DROPS})(?:[ds]|all|many|one|permanently)?(?![a-z]))`
const DELETES = new RegExp(
  [
    BEGINS,
    `[./:]${HOW}(?:(?:delete|${VERBS})(?![a-z])|${DROPS}[ _-]+[a-z])`,
    `(?<!un)[^a-z](?:delete|${VERBS})["']?$`,
  ].join('|'),
)

/**
 * Matches a shell command. Only its beginning is checked, because words in the middle can be file names or search
 * terms.
 */
const LINE = /^\S+\s+\S/
const BEGINS_WITH = new RegExp(BEGINS)

function runsDelete(written: string, reading: Reading): boolean {
  const line = written.trim()
  return LINE.test(line) ? BEGINS_WITH.test(reading.fold(line).trim()) : asksToDelete(line, reading)
}

/** Matches word boundaries in camel case: between `remove` and `User`, and between `HTTP` and `Delete`. */
const JOINT = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu

/** Checks the text twice: as written, and with camel case split into words. */
function asksToDelete(written: string, reading: Reading): boolean {
  if (DELETES.test(reading.fold(written).trim())) return true
  if (!HAS_JOINT.test(written) || !reading.spend(COST.joint * written.length)) return false
  return DELETES.test(reading.fold(written.replaceAll(JOINT, ' ')).trim())
}

const HAS_JOINT = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Ll}/u

/** A guardrail that blocks tools that delete, and arguments that make a tool delete. */
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
        return { field: '', text: 'the tool can delete or destroy data' }
      const hit =
        reading.texts(fields).find(({ value }) => asksToDelete(value, reading)) ??
        reading.texts(commands).find(({ value }) => runsDelete(value, reading)) ??
        reading.leaves(switches).find(({ value }) => !OFF.has(value))
      return hit && { field: hit.path, text: 'requests a deletion' }
    }
  },
})
