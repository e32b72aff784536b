/** Headings of the list's CSV, which an import recognises. */
export const exportTitles = {
  name: 'Name',
  id: 'ID',
  type: 'Type',
  cls: 'Class',
  description: 'Description',
  quantity: 'Quantity',
  capacity: 'Capacity',
  children: 'Children',
  parent: 'In',
  parentId: 'Parent ID',
  position: 'Position',
  rows: 'Rows',
  columns: 'Columns',
  layers: 'Layers',
  template: 'Template',
  attributes: 'Attributes',
} as const;
