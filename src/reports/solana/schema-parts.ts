import { Type } from 'typebox'

/** Fields that the answers on Solana are made of, each with its description. */
export const text = (description: string) => Type.String({ description })
export const flag = (description: string) => Type.Boolean({ description })
export const integer = (description: string) => Type.String({ description, pattern: '^-?\\d+$' })
export const hex = (description: string) => Type.String({ description, pattern: '^0x[0-9a-f]*$' })
export const percent = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
export const score = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
export const address = (description: string) => Type.String({ description, pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' })
export const orNull = <T extends Parameters<typeof Type.Array>[0]>(schema: T) => Type.Union([schema, Type.Null()])
export const words = <const T extends readonly string[]>(...each: T) =>
  Type.Unsafe<T[number]>(Type.Union(each.map((word) => Type.Literal(word))))
