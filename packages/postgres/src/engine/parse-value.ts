import { types } from '@electric-sql/pglite'

const asText = (value: string): string => value

function integer(value: string): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

/** Types whose values both engines hand out alike: dates and intervals as text (drizzle maps them), int8 as number. */
export const parsers: Readonly<Record<number, (value: string) => unknown>> = {
  [types.INT8]: integer,
  [types.TIMESTAMP]: asText,
  [types.TIMESTAMPTZ]: asText,
  [types.DATE]: asText,
  [types.INTERVAL]: asText,
  1231: asText, // numeric[]
  1115: asText, // timestamp[]
  1185: asText, // timestamptz[]
  1187: asText, // interval[]
  1182: asText, // date[]
}
