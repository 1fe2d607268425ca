import type { Pack } from '../../pack/pack.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Bench } from './bench.ts'

/** A tool under examination. */
export interface Subject {
  tool: Tool
  pack: Pack
  /** Workspaces to try it in, and what became of its examples. */
  bench: Bench
}

/** Something that is true of every tool. */
export interface ToolRule {
  /** What is true, as a fact: the title of its test. */
  title: string
  /** Left out, it applies to every tool. */
  appliesTo?(tool: Tool): boolean
  /** What is wrong with this tool, in sentences; empty when it keeps the rule. */
  problems(subject: Subject): Promise<string[]> | string[]
}

/** How one tool keeps one rule. */
export interface CheckReport {
  pack: string
  tool: string
  rule: string
  problems: string[]
}
