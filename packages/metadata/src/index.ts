export { MAX_TAGS, SHAPE_RULES } from './authoring/check-shape.ts'
export { CONTRADICTIONS, type Contradiction } from './authoring/contradictions.ts'
export { nearest } from './authoring/did-you-mean.ts'
export {
  META_HINTS,
  META_METADATA,
  type Projection,
  type ProjectionOptions,
  projectMetadata,
} from './authoring/project-metadata.ts'
export { isServiceDomain, SERVICE_DOMAINS, type ServiceDomain } from './authoring/service-domains.ts'
export { type Behavior, type ToolMetadata, toRecord } from './authoring/tool-metadata.ts'
export {
  findContradictions,
  type ValidationOptions,
  validateMetadata,
} from './authoring/validate-metadata.ts'
export {
  type Change,
  type DefinitionDiff,
  diffDefinitions,
  type HintChange,
} from './definition/diff-definitions.ts'
export { canonicalJson, fingerprint, NotCanonicalError } from './definition/fingerprint.ts'
export { findJsonProblems, type JsonProblem } from './definition/json-problems.ts'
export type { ToolDefinition } from './definition/tool-definition.ts'
export { type Action, actionSentence } from './derive/action-sentence.ts'
export { CATEGORIES, type Category, categoryOf, type RiskLevel } from './derive/category.ts'
export {
  type CallKind,
  type Graduation,
  kindOfVariant,
  reasonToConfirm,
} from './derive/confirmation.ts'
export {
  BARE_VERBS,
  CONSEQUENCES,
  type Consequence,
  consequencesOf,
  consequencesOfBareVerb,
  consequencesOfVerb,
  type ToolConsequences,
} from './derive/consequence.ts'
export { HTTP_METHODS, hintsForHttpMethod, operationForHttpMethod } from './derive/http-method.ts'
export { isOperation, MUTATING, OPERATIONS, type Operation } from './derive/operations.ts'
export { PRESETS, type Preset } from './derive/presets.ts'
export { isOpenWorld, REACHES, type Reach } from './derive/reach.ts'
export { displayTitle, humaniseName } from './derive/title.ts'
export { showUntrusted } from './derive/untrusted-text.ts'
export {
  CALL_VARIANTS,
  type CallVariant,
  deriveVariant,
  mayRetry,
  type Profile,
  riskLevelOf,
  type Severity,
  severityOf,
  stricterVariant,
} from './derive/variant.ts'
export type { Finding, FindingLevel } from './finding.ts'
export { FINDING_RULES, type FindingRule } from './finding-rules.ts'
export { HINT_NAMES, HINTS, type HintName, type HintValues, RISK_HINTS, SPEC_HINTS } from './hint/hints.ts'
export { combineHints, compareHint, isLooser, join, mergeStatements } from './hint/strictness.ts'
export { META_HTTP } from './infer/infer-from-method.ts'
export { inferTool, inferWith, LEARNED_QUESTIONS, readInferenceFeatures } from './infer/infer-tool.ts'
export type { Evidence, Inference, Judgement } from './infer/inference.ts'
export { INFERENCE_RULES } from './infer/inference-rules.ts'
export {
  type Feature,
  LinearModel,
  type WeightTable,
} from './learn/linear-model.ts'
export type { Reason } from './reason.ts'
export { type Assessment, assessTool, type Context } from './record/assess-tool.ts'
export { type Layers, resolveEffective, TIGHTENS_AT } from './record/resolve-effective.ts'
export {
  type EffectiveHints,
  type EffectiveRecord,
  hintValues,
  type Override,
  type Source,
  type Sourced,
  type ToolRecord,
} from './record/tool-record.ts'
export { hasManyMarks, toCompatible } from './scan/compatible-text.ts'
export { foldLookAlikes } from './scan/fold-look-alikes.ts'
export type { ScanFinding, ScanSeverity } from './scan/scan-finding.ts'
export type { ScanRule } from './scan/scan-rule.ts'
export { SCAN_RULES } from './scan/scan-rules.ts'
export { type ScanContext, scanTool } from './scan/scan-tool.ts'
export { isSuspicious, SUSPICION_THRESHOLD, suspicionOf } from './scan/score.ts'
export {
  judgeSessionRisk,
  type RiskJudgement,
  type RiskyCall,
  type TrifectaRule,
} from './session/judge-session-risk.ts'
export {
  addRiskFactors,
  type Basis,
  mergeRiskFactors,
  RISK_FACTORS,
  type RiskFactor,
  type RiskFactorMark,
  type RiskView,
  type RiskyTool,
  riskFactorsBroughtBy,
  riskFactorsOf,
  type SessionRiskFactors,
  viewRisk,
} from './session/risk-factors.ts'
export {
  CONFIRM_FORM,
  META_EFFECTIVE,
  META_SESSION,
  META_TASK,
  REFUSAL_CODES,
  type RefusalCode,
} from './wire/contract.ts'
export { type ReadDefinition, readDefinition } from './wire/read-definition.ts'
