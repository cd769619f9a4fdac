/** What mails to requesters may name. */
export const mailOfTicket = {
  'ticket.code': { description: 'Code of the ticket.', example: 'TCK-000123' },
  'ticket.subject': { description: 'Subject of the ticket.', example: 'Printer on floor 3 is jammed' },
  'requester.name': {
    description: 'Name of the requester; their address where they have none.',
    example: 'Ada Lovelace',
  },
  'workspace.name': { description: 'Name of the workspace.', example: 'Acme Support' },
} as const;
