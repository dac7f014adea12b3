// Loaded into a gateway before anything else (`node --import`), this disables its audit log. The gateway has no such
// setting, and must not have one; the bench uses this to measure the cost of the audit log.
import { loadAuditParts } from './audit-parts.ts'

const { AuditRecorder } = await loadAuditParts()
const prototype = AuditRecorder.prototype as { intent: unknown; outcome: unknown }
prototype.intent = () => undefined
prototype.outcome = () => undefined
