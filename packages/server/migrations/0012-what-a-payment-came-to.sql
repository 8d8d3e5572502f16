-- What is known of a payment once it is decided, beside what its transaction was made with: what the receiver's side told,
-- what it wants to know of the sender, why it was turned away.
alter table transactions add column outcome json;
-- What a platform told of the receiver, of what the sender's institution asked.
alter table payment_approvals add column receiver_information json;
