import { z } from 'zod'
import { isDayForm, plainName } from '../../../treasury/statement/bank-format.ts'
import { field, flag } from './field.ts'

const column = field.text
const names = z.array(column).max(100).default([])

const bankColumns = z
  .strictObject({
    date: column,
    amount: column.optional().describe('Signed, or without a sign and with `marker`.'),
    debit: column
      .optional()
      .describe('What leaves the account; together with `credit`, in place of `amount`.'),
    credit: column.optional(),
    marker: column
      .optional()
      .describe('The column that marks `amount` as a debit or a credit; see `markers`.'),
    currency: column.optional().describe('Rows that are not in TZS are left out.'),
    balance: column.optional().describe('Of the account after the row: every row has to lead to it.'),
    reference: column.optional(),
    text: names.describe('Columns that are searched for references.'),
    ignored: names.describe('Every other column. A column that is not named refuses the file.'),
  })
  .refine(
    ({ amount, debit, credit }) =>
      amount === undefined
        ? debit !== undefined && credit !== undefined
        : debit === undefined && credit === undefined,
    { path: ['amount'], message: 'expected either amount, or both debit and credit' },
  )
  .refine(({ amount, marker }) => marker === undefined || amount !== undefined, {
    path: ['marker'],
    message: 'a marker without amount; debit and credit need none',
  })
  .refine(
    ({ text, ignored, ...single }) => {
      const all = [...Object.values(single), ...text, ...ignored].filter((name) => name !== undefined)
      return new Set(all.map(plainName)).size === all.length
    },
    { path: ['ignored'], message: 'a column is named twice; name it once' },
  )

/** The format of one bank's CSV files. */
export const bankFormatSchema = z
  .strictObject({
    delimiter: z.enum([',', ';', '\t', '|']).describe('Between the cells; a tab is "\\t" in double quotes.'),
    decimal: z
      .enum(['.', ','])
      .describe('The decimal separator of amounts; the other one may part thousands.'),
    dates: z
      .string()
      .refine(isDayForm, 'not a date format; expected DD/MM/YYYY, YYYY-MM-DD, DD-MMM-YY or similar')
      .describe('DD, MM or MMM, YYYY or YY in the order of the file.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'not a currency; expected a code such as TZS')
      .default('TZS')
      .describe('Of the account, where no column has it; lines are used of TZS only.'),
    columns: bankColumns,
    markers: z
      .strictObject({ debit: names, credit: names })
      .prefault({})
      .describe('The texts of the column `marker`: { debit: [D], credit: [C] }.'),
    debitsAreNegative: flag('Whether the bank writes a minus sign before amounts of the column `debit`.'),
  })
  .refine(
    ({ columns, markers }) =>
      columns.marker === undefined || (markers.debit.length > 0 && markers.credit.length > 0),
    { path: ['markers'], message: 'missing texts; expected { debit: [D], credit: [C] }' },
  )
