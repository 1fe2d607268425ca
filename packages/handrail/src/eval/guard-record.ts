import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { JsonSchemaDefinition } from '../tool/json-schema.ts'

const call = z.object({ name: z.string(), arguments: z.unknown() })

const record = z.object({
  id: z.string(),
  family: z.string().optional(),
  format: z.string().nullish(),
  text: z.string(),
  tools: z.array(z.object({ name: z.string(), parameters: z.unknown() })),
  expected_calls: z.array(call).nullish(),
  kind: z.enum(['positive', 'negative']),
  neg_class: z.enum(['clean', 'lookalike']).nullish(),
  disputed: z.boolean().nullish(),
  /** False: only some of a call's arguments are listed. */
  args_complete: z.boolean().nullish(),
  chunks: z.array(z.string()).nullish(),
})

/** One recorded model output with what a parser must find in it. */
export type GuardRecord = z.infer<typeof record>

/**
 * Reads recorded model outputs, one JSON object per line.
 *
 * @throws Error naming the file and line of the first record that is none.
 */
export function readGuardRecords(file: string): GuardRecord[] {
  const records: GuardRecord[] = []
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue
    const parsed = record.safeParse(parseLine(line))
    if (!parsed.success)
      throw new Error(`\`${file}\`, line ${index + 1}, is no guard record: ${z.prettifyError(parsed.error)}`)
    records.push(parsed.data)
  }
  return records
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The tools of a record. Some suites wrap the schema as the AI SDK's `jsonSchema()` does. */
export function toolsOf(guardRecord: GuardRecord): { name: string; parameters: JsonSchemaDefinition | undefined }[] {
  return guardRecord.tools.map(({ name, parameters }) => ({ name, parameters: schemaOf(parameters) }))
}

function schemaOf(parameters: unknown): JsonSchemaDefinition | undefined {
  if (typeof parameters === 'boolean') return parameters
  if (typeof parameters !== 'object' || parameters === null) return undefined
  if ('jsonSchema' in parameters) return schemaOf(parameters.jsonSchema)
  // as: a JSON Schema from a file; every reader of it checks what it takes from it
  return parameters as JsonSchemaDefinition
}
