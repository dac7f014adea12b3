import { anyDepth } from '../field-path.ts'
import { defineRule, fieldParams, readFields } from '../rule.ts'

const ACTION_FIELDS = anyDepth([
  'action',
  'method',
  'operation',
  'op',
  'verb',
  'http_method',
  'httpMethod',
  'command_type',
  'commandType',
  'action_type',
  'actionType',
  'operation_type',
  'operationType',
  'request_method',
  'requestMethod',
  '_method',
  'x-http-method-override',
])
/** `delete` and what begins with it; another verb with something behind it, as in `remove_user`; or one at the end: `chat.delete`. */
const DELETES =
  /^["']?(?:(?:bulk|batch|hard|soft)[ _-]?)?(?:delete|(?:remove|destroy|purge|drop|erase|wipe|truncate|archive|trash)(?:[ds]|all|many|one|permanently)?(?![a-z]))|[^a-z](?:delete|remove|destroy|purge|erase|wipe|truncate)["']?$/

/** Tools that delete, and tools that do when an argument says so. */
export const blockDelete = defineRule({
  name: 'block_delete',
  params: fieldParams,
  compile: params => {
    const fields = readFields(params, ACTION_FIELDS)
    return reading => {
      const { category, variant } = reading.facts.tool
      if (category === 'delete' || variant === 'call_tool_destructive')
        return { field: '', text: 'the tool deletes or can destroy data' }
      const hit = reading.texts(fields).find(({ value }) => DELETES.test(reading.fold(value).trim()))
      return hit && { field: hit.path, text: 'asks for something to be deleted' }
    }
  },
})
