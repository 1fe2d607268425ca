import { wrappedFormat } from './wrapped-format.ts'

/** DeepSeek 3.2 and 4: `<｜DSML｜function_calls><｜DSML｜invoke name="get_page">…`. */
export const dsml = wrappedFormat('dsml', [
  ['<｜DSML｜function_calls>', '</｜DSML｜function_calls>'],
  ['<｜DSML｜tool_calls>', '</｜DSML｜tool_calls>'],
  ['<|DSML|function_calls>', '</|DSML|function_calls>'],
  ['<|DSML|tool_calls>', '</|DSML|tool_calls>'],
])
