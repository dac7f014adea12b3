/** Turns properties that can be undefined into optional ones. */
type Defined<T> = {
  -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
} & { -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] }

export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>
}

/** Makes a type deeply read-only, because a config does not change once it is built. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T
