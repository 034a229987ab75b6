CREATE ROLE proofgate LOGIN PASSWORD :'password';
CREATE DATABASE proofgate ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE proofgate FROM PUBLIC;
GRANT CONNECT ON DATABASE proofgate TO proofgate;
\connect proofgate
CREATE SCHEMA proofgate AUTHORIZATION proofgate;
