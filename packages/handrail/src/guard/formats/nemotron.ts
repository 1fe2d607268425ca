import { wrappedFormat } from './wrapped-format.ts'

/** Nemotron Nano 2: `<TOOLCALL>[{json}]</TOOLCALL>`. */
export const nemotron = wrappedFormat('nemotron', [['<TOOLCALL>', '</TOOLCALL>']])
