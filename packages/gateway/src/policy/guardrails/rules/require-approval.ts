import { defineRule, fieldParams, readFields } from '../values/rule.ts'

/** A person confirms, always or when one of the fields is there. */
export const requireApproval = defineRule({
  name: 'require_approval',
  params: fieldParams,
  effects: ['confirm'],
  compile: params => {
    const fields = readFields(params, [])
    return reading => {
      if (fields.length === 0) return { field: '', text: 'a person has to approve this call' }
      const [first] = reading.values(fields)
      return first && { field: first.path, text: 'has to be approved by a person' }
    }
  },
})
