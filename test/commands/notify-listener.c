/* The side of the service manager: prints each datagram of a socket, with an empty line after it. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

int main(int count, char **arguments) {
  if (count != 2) return 2;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(arguments[1]);
  int isAbstract = arguments[1][0] == '@';
  memcpy(address.sun_path, arguments[1], length);
  if (isAbstract) address.sun_path[0] = 0;
  int listener = socket(AF_UNIX, SOCK_DGRAM, 0);
  socklen_t size = offsetof(struct sockaddr_un, sun_path) + length + (isAbstract ? 0 : 1);
  if (bind(listener, (struct sockaddr *)&address, size) < 0) {
    perror("bind");
    return 1;
  }
  puts("LISTENING\n");
  fflush(stdout);
  char message[4096];
  for (;;) {
    ssize_t got = recv(listener, message, sizeof message, 0);
    if (got < 0) return 1;
    printf("%.*s\n", (int)got, message);
    fflush(stdout);
  }
}
