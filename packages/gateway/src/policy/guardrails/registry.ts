import { allowAddresses, blockAddresses } from './rules/address-rules.ts'
import { blockDelete } from './rules/block-delete.ts'
import { blockPattern } from './rules/block-pattern.ts'
import { piiDetect, secretDetect } from './rules/detect-rules.ts'
import { allowDomains, blockDomains, blockExternal } from './rules/domain-rules.ts'
import { maxRecipients } from './rules/max-recipients.ts'
import { rateLimit } from './rules/rate-limit.ts'
import { allowRepos, protectBranches } from './rules/repository-rules.ts'
import { blockMassMentions, contentLength, keywordBlock, requirePrefix } from './rules/text-rules.ts'
import { denyPastDates, timeWindow } from './rules/time-rules.ts'
import { allowValues, blockValues, maxValue, requireApproval } from './rules/value-rules.ts'
import type { RuleKind } from './values/rule.ts'

/** All kinds of rules, by their names in the config. */
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
