import { wrappedFormat } from './wrapped-format.ts'

/** Seed-OSS: `<seed:tool_call><function=get_page><parameter=id>7</parameter></function></seed:tool_call>`. */
export const seedOss = wrappedFormat('seed-oss', [['<seed:tool_call>', '</seed:tool_call>']])
