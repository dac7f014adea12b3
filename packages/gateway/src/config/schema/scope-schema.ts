import { z } from 'zod'
import { PERMISSIONS } from '../../scope/scope.ts'

const SHORT_NAMES = {
  read: 'call_tool_read',
  write: 'call_tool_write',
  destructive: 'call_tool_destructive',
} as const

export const permission = z
  .enum([...PERMISSIONS, 'read', 'write', 'destructive'])
  .transform(name =>
    name === 'read' || name === 'write' || name === 'destructive' ? SHORT_NAMES[name] : name,
  )

export const glob = z.string().min(1).max(256)
