// Loaded into a gateway before anything else (`node --import`): it then records nothing. There is no such setting, and
// there must not be one; this is how the bench finds out what the audit log costs.
import { loadAuditParts } from './audit-parts.ts'

const { AuditRecorder } = await loadAuditParts()
const prototype = AuditRecorder.prototype as { intent: unknown; outcome: unknown }
prototype.intent = () => undefined
prototype.outcome = () => undefined
