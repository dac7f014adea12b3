import { allowAddresses, blockAddresses } from './rules/address-rules.ts'
import { blockDelete } from './rules/block-delete.ts'
import { blockMassMentions } from './rules/block-mass-mentions.ts'
import { blockPattern } from './rules/block-pattern.ts'
import { contentLength } from './rules/content-length.ts'
import { piiDetect, secretDetect } from './rules/detect-rules.ts'
import { allowDomains, blockDomains, blockExternal } from './rules/domain-rules.ts'
import { keywordBlock } from './rules/keyword-block.ts'
import { maxRecipients } from './rules/max-recipients.ts'
import { rateLimit } from './rules/rate-limit.ts'
import { allowRepos, protectBranches } from './rules/repository-rules.ts'
import { requireApproval } from './rules/require-approval.ts'
import { requirePrefix } from './rules/require-prefix.ts'
import { denyPastDates, timeWindow } from './rules/time-rules.ts'
import { allowValues, blockValues, maxValue } from './rules/value-rules.ts'
import type { RuleKind } from './values/rule.ts'

/** Every rule there is, by the name it has in a config. */
export const RULE_KINDS: ReadonlyMap<string, RuleKind> = new Map(
  [
    keywordBlock,
    contentLength,
    requirePrefix,
    blockPattern,
    allowDomains,
    blockDomains,
    allowAddresses,
    blockAddresses,
    maxRecipients,
    blockExternal,
    allowValues,
    blockValues,
    protectBranches,
    allowRepos,
    blockMassMentions,
    blockDelete,
    denyPastDates,
    rateLimit,
    piiDetect,
    secretDetect,
    timeWindow,
    maxValue,
    requireApproval,
  ].map(kind => [kind.name, kind]),
)
