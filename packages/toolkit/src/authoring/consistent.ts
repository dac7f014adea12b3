import type { Behavior, CATEGORIES, Category, Operation, PRESETS, Preset } from '@hintgate/metadata'
import type { Annotations } from './tool-spec.ts'

/**
 * The contradictions that TypeScript can detect, between flags and operations that are written as literals. All others
 * are checked at start-up, with the same codes. That includes flags and operations whose type is just `boolean` or
 * `Operation[]`.
 */

type Hint = 'readOnly' | 'destructive' | 'idempotent' | 'openWorld'

type Stated<T, K extends PropertyKey> = T extends { readonly [P in K]: infer V } ? V : undefined

type PresetFlag<H extends Hint, P extends Preset> = (typeof PRESETS)[P][H]
type CategoryFlag<H extends Hint, C extends Category> = (typeof CATEGORIES)[C]['hints'][H]

type Kind<H extends Hint, P extends Preset, C extends Category> = [P] extends [never]
  ? [C] extends [never]
    ? undefined
    : CategoryFlag<H, C>
  : PresetFlag<H, P>

type Flag<H extends Hint, Said extends Statement> = [Stated<Said['behavior'], H>] extends [boolean]
  ? Stated<Said['behavior'], H>
  : [Stated<Said['annotations'], `${H}Hint`>] extends [boolean]
    ? Stated<Said['annotations'], `${H}Hint`>
    : Kind<H, Said['preset'], Said['category']>

type Operations<B> = B extends { readonly operations: infer O extends readonly Operation[] }
  ? number extends O['length']
    ? never
    : O[number]
  : never

type HasDomain<D extends readonly unknown[]> = number extends D['length']
  ? false
  : D['length'] extends 0
    ? false
    : true

type If<Condition extends boolean, Code> = Condition extends true ? Code : never
type Is<Value, Wanted extends boolean> = [Value] extends [Wanted] ? true : false
type Has<All, One> = [Extract<All, One>] extends [never] ? false : true
type Both<A extends boolean, B extends boolean> = A extends true ? B : false

/** The declarations of an author about one tool. */
interface Statement {
  preset: Preset
  category: Category
  annotations: Annotations
  behavior: Behavior
  strict: boolean
  domains: readonly unknown[]
}

type Codes<Said extends Statement> =
  | If<
      Both<
        Is<Flag<'readOnly', Said>, true>,
        Has<Operations<Said['behavior']>, 'create' | 'update' | 'delete'>
      >,
      'readonly-mutates'
    >
  | If<Both<Is<Flag<'readOnly', Said>, true>, Has<Operations<Said['behavior']>, 'opaque'>>, 'readonly-opaque'>
  | If<
      Both<Is<Flag<'destructive', Said>, false>, Has<Operations<Said['behavior']>, 'delete'>>,
      'delete-not-destructive'
    >
  | If<Both<Is<Flag<'openWorld', Said>, false>, HasDomain<Said['domains']>>, 'domain-closed-world'>
  | If<Both<Is<Flag<'readOnly', Said>, true>, Is<Flag<'destructive', Said>, true>>, 'readonly-destructive'>

type Strangers<T, Known> = Exclude<keyof T, keyof Known>

/** Rejects an object with a misspelt flag, which type inference alone would accept. */
type NoStrangers<Said extends Statement> = ([Strangers<Said['behavior'], Behavior>] extends [never]
  ? unknown
  : { readonly behavior: { readonly [K in Strangers<Said['behavior'], Behavior>]: never } }) &
  ([Strangers<Said['annotations'], Annotations>] extends [never]
    ? unknown
    : { readonly annotations: { readonly [K in Strangers<Said['annotations'], Annotations>]: never } })

/**
 * `unknown` if the declarations agree. Otherwise, a type that requires a `behavior` whose type names the
 * contradictions, which makes the compiler report them.
 */
export type Consistent<Said extends Statement> = NoStrangers<Said> &
  ([Said['strict']] extends [false]
    ? unknown
    : [Codes<Said>] extends [never]
      ? unknown
      : { readonly behavior: `contradiction: ${Codes<Said>}` })
